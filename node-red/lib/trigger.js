"use strict";

const { aboutMessage } = require("./about-message");
const { BridgeError } = require("./bridge-error");
const { messageFrom } = require("./firing-key");
const { LatestSet } = require("./latest");
const { runPayload } = require("./run-payload");
const { triggerStatus } = require("./status");
const { TriggerActivity } = require("./trigger-activity");
const { readInput } = require("./trigger-input");
const { Turns } = require("./turns");

/**
 * @typedef {import("./runs").Run} Run
 * @typedef {import("./trigger-config").Complaint} Complaint
 * @typedef {import("./trigger-defaults").TriggerProperties} TriggerProperties
 */

/**
 * What a trigger's node does for it.
 * @typedef {object} Ports
 * @property {(messages: (object | null)[]) => void} send to the two outputs
 * @property {(status: import("./status").Status | undefined) => void} status
 * @property {(key: string, values?: Record<string, unknown>) => void} warn
 * @property {(key: string, values?: Record<string, unknown>) => void} error
 * @property {(key: string, values?: Record<string, unknown>) => string} say a text of the catalogue
 * @property {(value: string, type: string, message?: object) => Promise<unknown>} evaluate a typed input
 * @property {(message: any) => any} clone
 */

/**
 * What a trigger is made of.
 * @typedef {object} Settings
 * @property {TriggerProperties} properties
 * @property {any} config for the bridge
 * @property {import("./connection").Connection | undefined} connection
 * @property {Complaint[]} complaints with any, the trigger is not declared
 * @property {Complaint[]} warnings
 * @property {string} timezone in which its status speaks
 */

/** One schedule-trigger node: passes firings on to the bridge, emits runs, shows how it stands. */
class Trigger {
    #runtime;
    #ports;
    #settings;
    #activity = new TriggerActivity();
    #turns = new Turns();
    /** @type {string | undefined} */
    #mistake;
    #said = "";
    /** @type {string | undefined} the name of the node that sent a message after its run was taken for completed */
    #lateNode;
    #lateNodes = new LatestSet();

    /**
     * @param {Settings} settings
     * @param {Ports} ports
     * @param {InstanceType<typeof import("./runtime").Runtime>} runtime
     */
    constructor(settings, ports, runtime) {
        this.#settings = settings;
        this.#ports = ports;
        this.#runtime = runtime;
        this.#mistake = settings.complaints[0]?.key;
        for (const { key, values } of settings.complaints) ports.error(`mistake.${key}`, values);
        for (const { key, values } of settings.warnings) ports.warn(`warning.${key}`, values);
    }

    /** @returns {string} */
    get triggerId() {
        return this.#settings.config.triggerId;
    }

    get config() {
        return this.#settings.config;
    }

    /** In which its times are said. */
    get timezone() {
        return this.#settings.timezone;
    }

    get connection() {
        return this.#settings.connection;
    }

    /**
     * A point of the grid on which it ticks, so that a preview of the same interval shows the ticks that will be.
     * @param {number} every seconds
     * @returns {string | undefined}
     */
    gridOf(every) {
        return this.config.schedule.every === every ? (this.#activity.nextRun ?? undefined) : undefined;
    }

    /** Its node, as the tracking of its runs knows nodes. */
    get node() {
        const { id, name, z } = this.#settings.properties;
        return { id, name, z, type: "schedule-trigger" };
    }

    /** Whether a run is over when its messages have all been dealt with; else only a finish node ends it. */
    get endsOnSilence() {
        return String(this.#settings.properties.endsOnSilence) !== "false";
    }

    /** Whether it fires once when Node-RED starts. */
    get firesAtStart() {
        return String(this.#settings.properties.fireAtStart) === "true";
    }

    /** Whether it can be declared. */
    get isSound() {
        return this.#settings.complaints.length === 0;
    }

    /**
     * Deals with a message: fires, or does what `msg.schedule` says. Messages are dealt with in the order in which
     * they came, since of two that are merged the newer one wins (R12).
     * @param {any} message
     * @returns {Promise<void>} rejected with a sentence when nothing was decided
     */
    input(message) {
        return this.#turns.take(() => this.#input(message));
    }

    /** @param {any} message */
    async #input(message) {
        const input = readInput(message, await this.#configuredKey(message));
        if ("unknownCommand" in input) throw new Error(this.#ports.say("error.command", { word: input.unknownCommand }));
        if ("firing" in input) await this.#ask((client) => client.fire(this.triggerId, input.firing, message));
        else await this.#command(input);
    }

    /**
     * Fires without a message.
     * @returns {Promise<any[]>} the Decisions
     */
    runNow() {
        return this.#ask((client) => client.fire(this.triggerId, { source: "manual" }));
    }

    /** @param {import("./trigger-input").Commanding} commanding */
    async #command({ command, executionId }) {
        if (command === "runNow") await this.runNow();
        else if (command === "pause" || command === "resume") await this.command(command);
        else await this.#ask((client) => client.end(this.triggerId, command, executionId));
    }

    /**
     * Asks the bridge; what goes wrong becomes a sentence.
     * @template Answer
     * @param {(client: InstanceType<typeof import("./bridge-client").BridgeClient>) => Promise<Answer>} question
     * @returns {Promise<Answer>}
     */
    async #ask(question) {
        const client = this.#runtime.clientOf(this);
        if (!this.isSound || !client) throw new Error(this.#ports.say("error.notDeclared"));
        const inTheWay = this.connection?.managed?.inTheWay;
        if (inTheWay) throw new Error(this.#ports.say(`error.${inTheWay.key}`, inTheWay.values));
        try {
            return await question(client);
        } catch (error) {
            throw this.#inWords(/** @type {Error} */ (error));
        }
    }

    /** @param {Error} error */
    #inWords(error) {
        if (!(error instanceof BridgeError) || error.problem === "refused") return error;
        return new Error(this.#ports.say(`error.${error.problem}`), { cause: error });
    }

    /** @param {any} message */
    async #configuredKey(message) {
        const { lockKey, lockKeyType } = this.#settings.properties;
        const isRead = lockKey !== "" && (lockKeyType === "msg" || lockKeyType === "jsonata");
        return isRead ? this.#ports.evaluate(lockKey, lockKeyType, message) : undefined;
    }

    /** @param {string} executionId */
    claimed(executionId) {
        this.#activity.started(executionId);
        this.show();
    }

    /**
     * A run starts: its message goes to output 1.
     * @param {Run} run
     */
    async start({ offer, held, info }) {
        try {
            const message = held?.again ? this.#ports.clone(held.message) : (held?.message ?? messageFrom(offer.firingKey));
            message.run = info;
            const evaluate = this.#evaluateFor(message);
            message.payload = await runPayload(offer, this.#settings.properties, evaluate);
            this.#runtime.begin(this, message.run, () => this.#ports.send([message, null]));
        } catch (error) {
            const sentence = this.#ports.say("error.payload", { message: /** @type {Error} */ (error).message });
            this.#ports.error("error.payload", { message: /** @type {Error} */ (error).message });
            this.#runtime.finish(offer.executionId, "failed", sentence);
        }
    }

    /** @param {object} message */
    #evaluateFor(message) {
        /**
         * @param {string} value
         * @param {string} type
         */
        return (value, type) => this.#ports.evaluate(value, type, message);
    }

    /** @param {string} executionId a run that this Node-RED ended */
    gone(executionId) {
        this.#activity.ended(executionId);
        this.show();
    }

    /**
     * The bridge ended an execution: output 2 tells it, by a message that is none of the run's.
     * @param {any} end
     * @param {Run | undefined} run
     */
    ended({ executionId, triggerId, outcome, reason, halt }, run) {
        if (outcome === "expired") this.#ports.warn("warning.expired", { run: executionId.slice(0, 4) });
        // Not as `msg.run`: the news of an end is no message of the run, which may not be delivered any more.
        const end = { executionId, triggerId: triggerId ?? this.triggerId, outcome, reason, halt, run: run?.info };
        this.#ports.send([null, aboutMessage(run?.held?.message, end)]);
        this.gone(executionId);
    }

    /**
     * A run that was taken for completed went on after all.
     * @param {string} executionId
     * @param {import("./tracking/tracked-run").Place} cause the node that sent another message
     */
    late(executionId, { id, name, type }) {
        const node = name || type;
        this.#lateNode = node;
        if (this.#lateNodes.add(id)) this.#ports.warn("warning.late", { run: executionId.slice(0, 4), node, type });
        this.show();
    }

    /** @param {string} message what is wrong with a message that could not be tracked */
    trackingFailed(message) {
        this.#ports.warn("warning.tracking", { message });
    }

    /** @param {any} decision on one of its firings */
    decided(decision) {
        this.#activity.decided(decision);
        this.show();
    }

    /**
     * Output 2 tells what was decided about a firing, unless it starts a run.
     * @param {any} decision
     * @param {any} message that fired, if it is known
     */
    tell(decision, message) {
        if (decision.decision !== "started") this.#ports.send([null, aboutMessage(message, decision)]);
    }

    /** @param {string} message why the bridge does not accept the limit of the workspace */
    limitRefused(message) {
        this.#ports.warn("warning.limitRefused", { message });
    }

    /** @param {any} execution that changed */
    changed(execution) {
        this.#activity.changed(execution);
        this.show();
    }

    /** @param {any} state of the trigger, as the bridge tells it */
    scheduled(state) {
        this.#activity.scheduled(state);
        this.show();
    }

    /** @param {boolean} isNew whether the connection was lost or made, so that what waits may have changed unheard */
    conditionChanged(isNew) {
        if (this.isSound) this.#mistake = undefined;
        if (isNew) this.#activity.forgetWaiting();
        this.show();
    }

    /**
     * The bridge does not accept the trigger.
     * @param {{pointer: string, message: string}[]} errors
     */
    refused(errors) {
        this.#mistake = mistakeAt(errors[0]?.pointer ?? "", this.config.schedule.kind);
        for (const { message } of errors) this.#ports.error("mistake.refused", { message });
        this.show();
    }

    /**
     * Says in the log how the connection is.
     * @param {import("./bridge-client").Condition} condition
     */
    reportCondition(condition) {
        const key = condition === "connected" ? "warning.bridgeBack" : `error.${condition}`;
        this.#ports.warn(key);
    }

    /**
     * Says in the log what keeps this Node-RED's own bridge from running.
     * @param {import("./bridge-process/managed-bridge").InTheWay} inTheWay
     */
    reportTrouble({ key, values }) {
        this.#ports.error(`error.${key}`, values);
    }

    /** Shows the status, if it is another than the one shown. */
    show() {
        const status = this.#status;
        const said = JSON.stringify(status) ?? "";
        if (said !== this.#said) this.#ports.status(status);
        this.#said = said;
        this.#runtime.changed(this);
    }

    /** For the sidebar: what it is and how it stands, without what only the bridge knows. */
    get summary() {
        const { id, z, name, scheduleKind, every, everyUnit, cron } = this.#settings.properties;
        const { overlapPolicy, maxConcurrent, lockKeys } = this.config;
        const status = this.#status;
        return {
            ...{ id, flow: z, name, bridge: this.connection?.bridgeNodeId ?? this.#settings.properties.bridge },
            schedule: { kind: scheduleKind, every, unit: everyUnit, cron },
            ...{ overlapPolicy, maxConcurrent, lockKeys },
            status: status && { fill: status.fill, shape: status.shape, text: this.#ports.say(`status.${status.key}`, status.values) },
            timezone: this.#settings.timezone,
            pausedSince: this.#activity.pausedSince,
        };
    }

    /**
     * Pauses it, or ends its pause.
     * @param {"pause" | "resume"} verb
     */
    command(verb) {
        return this.#ask((client) => client.command(this.triggerId, verb));
    }

    /**
     * Has the bridge end one of its executions.
     * @param {"cancel" | "terminate"} verb
     * @param {string} executionId
     */
    end(verb, executionId) {
        return this.#ask((client) => client.end(this.triggerId, verb, executionId));
    }

    get #status() {
        return triggerStatus(this.#view, { now: Date.now(), timeZone: this.#settings.timezone, locale: this.#ports.say("locale") });
    }

    get #view() {
        const { overlapPolicy, maxConcurrent } = this.config;
        return {
            mistake: this.#mistake,
            warning: this.#settings.warnings[0]?.key,
            inTheWay: this.connection?.managed?.inTheWay,
            lateNode: this.#lateNode,
            condition: this.#runtime.clientOf(this)?.condition ?? "connecting",
            counts: this.#activity.counts,
            limit: overlapPolicy === "allow" ? maxConcurrent : undefined,
            nextRun: this.#activity.nextRun,
            pausedSince: this.#activity.pausedSince,
        };
    }
}

/**
 * @param {string} pointer to what the bridge does not accept
 * @param {string} kind of the schedule
 * @returns {string} the key of a status text
 */
function mistakeAt(pointer, kind) {
    if (pointer.endsWith("/timezone")) return "timezone";
    return kind === "cron" && pointer.includes("/schedule") ? "cron" : "setting";
}

module.exports = { Trigger };

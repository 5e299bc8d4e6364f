/** The sidebar "Schedules": every trigger of this Node-RED, and one of them opened. */
import { Calls } from "./calls.mjs";
import { Clock } from "./clock.mjs";
import { Sidebar } from "./sidebar.mjs";

const ID = "schedule-trigger-schedules";

RED.plugins.registerPlugin(ID, {
    onadd() {
        /**
         * @param {string} key
         * @param {object} [values]
         */
        const say = (key, values) => this._(`schedules.${key}`, values);
        const sidebar = new Sidebar({ say, calls: new Calls(say), clock: new Clock() });
        RED.actions.add("schedule-trigger:show-schedules", () => RED.sidebar.show(ID));
        RED.sidebar.addTab({
            id: ID,
            label: say("tab"),
            name: say("name"),
            iconClass: "fa fa-clock-o",
            content: sidebar.element,
            action: "schedule-trigger:show-schedules",
            enableOnEdit: true,
            // Node-RED 4 shows as many tabs as there is room for, pinned ones first; the others are in a menu beside them.
            pinned: true,
        });
    },
});

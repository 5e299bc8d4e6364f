/** The first minute: this Node-RED's own bridge is being set up while a dialog is open. */
(function () {
    const BRIDGE_NEWS = "schedule-trigger/bridge";

    /** Hears how this Node-RED's own bridge gets on, as long as a place is in the page. */
    function followOwnBridge(place, told) {
        const heard = (_topic, news) => {
            if (place.isConnected) told(news);
            else RED.comms.unsubscribe(BRIDGE_NEWS, heard);
        };
        RED.comms.subscribe(BRIDGE_NEWS, heard);
    }

    /** Shows `{message, progress: {step, steps}}` in a panel in place of its picture, or the picture again. */
    function showSetUp(panel, setUp) {
        panel.toggleClass("schedule-trigger-setting-up", Boolean(setUp));
        if (!setUp) return;
        const { message, progress } = setUp;
        panel.find(".schedule-trigger-set-up-message").text(message);
        panel.find(".schedule-trigger-set-up progress").attr({ max: progress.steps, value: progress.step - 0.5 });
    }

    const mayWrite = () => RED.user.hasPermission("schedule-trigger.write");

    /**
     * Has this Node-RED's own bridge set up and started, if the person may.
     * @param {string} bridge the configuration node that leads there; "" is none
     * @returns {Promise<boolean>} whether that has begun
     */
    function beginSetUp(bridge) {
        if (!mayWrite()) return Promise.resolve(false);
        const begun = $.ajax({ url: "schedule-trigger/set-up/begin", type: "POST", contentType: "application/json", data: JSON.stringify({ bridge }) });
        return begun.then(
            () => true,
            () => false,
        );
    }

    /** Lets a person who may do so cancel the set-up. What comes of it is told as news. */
    function prepareSetUp(panel) {
        const cancel = () => $.ajax({ url: "schedule-trigger/set-up/cancel", type: "POST" });
        panel.find(".schedule-trigger-cancel-set-up").toggle(mayWrite()).on("click", cancel);
    }

    Object.assign((window.scheduleTrigger ??= {}), { beginSetUp, followOwnBridge, prepareSetUp, showSetUp });
})();

/** Milliseconds until what failed is tried again. */
const AGAIN_AFTER = 5_000;

/**
 * Makes a function that asks one question at a time, however often it is called: what is called for while an answer is
 * on its way is asked once more after it. A question that fails is asked again by itself.
 * @template Answer
 * @param {() => Promise<Answer>} ask
 * @param {(answer: Answer) => void} answered
 * @param {(error: Error) => boolean} failed whether it is worth another try
 * @returns {{now: () => void, stop: () => void}}
 */
export function asking(ask, answered, failed) {
    let isAsking = false;
    let again = false;
    let isStopped = false;
    let timer;

    async function now() {
        clearTimeout(timer);
        again = isAsking;
        if (isAsking || isStopped) return;
        isAsking = true;
        await once();
        isAsking = false;
        if (again) now();
    }

    async function once() {
        try {
            const answer = await ask();
            if (!isStopped) answered(answer);
        } catch (error) {
            if (!isStopped && failed(error)) timer = setTimeout(now, AGAIN_AFTER);
        }
    }

    function stop() {
        isStopped = true;
        clearTimeout(timer);
    }

    return { now, stop };
}

// Asks again every so often while the page is seen, and as soon as it is seen again.

/** again(): what is done; soon(ms) sets the next time, stop() ends it. */
export function refreshing(again) {
  let timer;
  function stop() {
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', run);
  }
  function run() {
    stop();
    again();
  }
  function soon(ms) {
    stop();
    timer = setTimeout(() => document.hidden ? document.addEventListener('visibilitychange', run, { once: true }) : run(), ms);
  }
  return { soon, stop };
}

/**
 * Asks now and every so many ms, and draws what was taken of the newest answer; older ones, and those after close(), are dropped.
 * ask() promises an answer, take(answer) keeps what the page shows of it; failure is why there is none.
 */
export function polling(ask, take, every, update) {
  const { soon, stop } = refreshing(load);
  const poll = { load, failure: undefined, isClosed: false, close };
  let latest = 0;

  async function load() {
    stop();
    const mine = ++latest, isMine = () => mine === latest && !poll.isClosed;
    try {
      const answer = await ask();
      if (!isMine()) return;
      take(answer);
      poll.failure = undefined;
    } catch (refused) {
      if (!isMine()) return;
      poll.failure = refused;
    }
    update();
    soon(every);
  }

  function close() {
    poll.isClosed = true;
    stop();
  }

  load();
  return poll;
}

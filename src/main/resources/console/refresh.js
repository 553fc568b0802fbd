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

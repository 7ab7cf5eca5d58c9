/** What runs inside the page to see what no locator sees: pixels per frame, mutations, open sockets. A text, since tests have no DOM types. */
export const PROBE = `
window.__probe = {
  sockets: [],
  scroller: () => document.querySelector('section[aria-label="Transcript"]'),
  rows: () => [...document.querySelectorAll('section[aria-label="Transcript"] [data-key]')],
  first() {
    const edge = this.scroller().getBoundingClientRect().top;
    const row = this.rows().find((one) => one.getBoundingClientRect().bottom > edge);
    return { key: row.dataset.key, top: row.getBoundingClientRect().top };
  },
  topOf(key) {
    const row = this.rows().find((one) => one.dataset.key === key);
    return row === undefined ? null : row.getBoundingClientRect().top;
  },
  frame: () => new Promise((done) => requestAnimationFrame(() => done(null))),
  /** Looks in every frame whether the first visible row moved; stop() gives what it saw. */
  watchFirst() {
    const start = this.first();
    const seen = { frames: 0, moves: [] };
    let isOn = true;
    const look = () => {
      if (!isOn) return;
      seen.frames += 1;
      const top = this.topOf(start.key);
      if (top !== start.top) seen.moves.push(top === null ? 'gone' : top - start.top);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    this.stopWatch = () => { isOn = false; return seen; };
  },
  /** Goes up, a pixel at a time, until older rows were put above, n times; gives how far the first visible row jumped each time. */
  async pageBack(n) {
    const moves = [];
    for (let at = 0; at < n; at++) {
      const before = this.rows()[0].dataset.key;
      this.scroller().scrollTop = Math.min(this.scroller().scrollTop, 400);
      let anchor = this.first();
      for (let frames = 0; frames < 400 && this.rows()[0].dataset.key === before; frames++) {
        // Eight frames of rest: a script's scrolling between an event and its handling is nothing a reader can do.
        if (frames % 8 === 7) {
          this.scroller().scrollTop -= 1;
          anchor = this.first();
        }
        await this.frame();
      }
      if (this.rows()[0].dataset.key === before) { moves.push('nothing older came'); break; }
      await this.frame();
      const top = this.topOf(anchor.key);
      moves.push(top === null ? 'gone' : Math.round((top - anchor.top) * 100) / 100);
    }
    return moves;
  },
  /** Remembers how the observed block fared at the first frame in which that text is there. */
  atText(text) {
    const look = () => {
      if (!this.scroller().textContent.includes(text)) { requestAnimationFrame(look); return; }
      this.fared = { count: this.observed.count, isConnected: this.observed.node.isConnected, text };
    };
    look();
  },
  observe(selector) {
    const node = document.querySelector(selector);
    const seen = { node, count: 0 };
    new MutationObserver((all) => { seen.count += all.length; })
      .observe(node, { subtree: true, childList: true, characterData: true, attributes: true });
    this.observed = seen;
    return node.textContent;
  },
  cut() { for (const one of this.sockets) one.close(); },
};
window.WebSocket = class extends WebSocket {
  constructor(...args) { super(...args); window.__probe.sockets.push(this); }
};
`;

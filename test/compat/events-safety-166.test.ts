/** Floods of events and what no event may do, with Codex 0.166: the same attacks as with the pinned version. */
process.env.SIGNALBOX_TEST_CODEX = process.env.CODEX_COMPAT_BIN_166 ?? '';
await import('../api/events-safety.test.ts');

/** Forged blocks of the shared terminal with Codex 0.166: the same attack as with the pinned version. */
process.env.SIGNALBOX_TEST_CODEX = process.env.CODEX_COMPAT_BIN_166 ?? '';
await import('../api/forged-context.test.ts');

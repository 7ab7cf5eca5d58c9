/** What commands of an agent reach with Codex 0.166, in each sandbox: the same attacks as with the pinned version. */
process.env.SIGNALBOX_TEST_CODEX = process.env.CODEX_COMPAT_BIN_166 ?? '';
await import('../api/agent-reach.test.ts');

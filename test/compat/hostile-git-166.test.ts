/** A repository with a hostile git configuration with Codex 0.166: the same attack as with the pinned version. */
process.env.SIGNALBOX_TEST_CODEX = process.env.CODEX_COMPAT_BIN_166 ?? '';
await import('../api/hostile-git.test.ts');

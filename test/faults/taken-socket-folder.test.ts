/** Another user has made the folder below `/tmp` in which Codex keeps its sockets. */
import { execFileSync } from 'node:child_process';
import { access, chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeDir, openBox } from '../../src/testing/box.ts';
import { shellWord } from '../../src/testing/shell-word.ts';

/** A mount of its own puts the foreign folder there for this Codex only; this needs root. */
const canMount = process.getuid?.() === 0 && isQuiet(['unshare', '-m', 'true']);

function isQuiet([program = '', ...args]: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!canMount)(
  '[CM30] Codex whose socket folder belongs to another user is run over a pipe, takes messages, and a warning says why',
  async () => {
    const dir = await makeDir('socket-folder');
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    const foreign = join(dir, 'foreign');
    await mkdir(foreign, { mode: 0o755 });
    execFileSync('chown', ['65534', foreign]);
    const real = createRequire(import.meta.url).resolve('@openai/codex/bin/codex.js');
    const place = '/tmp/codex-daemon-0';
    const script = `mkdir -p -m 700 ${place} && mount --bind ${shellWord(foreign)} ${place} && exec ${shellWord(process.execPath)} ${shellWord(real)} "$@"`;
    const codexBin = join(dir, 'codex');
    await writeFile(codexBin, `#!/bin/sh\nexec unshare -m sh -c ${shellWord(script)} codex "$@"\n`);
    await chmod(codexBin, 0o755);
    const box = await openBox({ isDemo: true, flags: ['--demo'], codexBin });
    onTestFinished(() => box.close());
    const id = await box.create();
    const watcher = await box.watch(id);
    await box.must('sendMessage', { conversation_id: id, text: 'Hello' });
    await watcher.turnEnd();
    const status = await box.must('status', {});
    expect(status.codex).toMatchObject({ state: 'ready', transport: 'stdio' });
    expect(status.codex_warnings).toEqual([expect.stringContaining('Another user made the folder')]);
    // Codex was asked about itself with the home it is given here, not with that of the user.
    await expect(access(join(box.dir, '.codex'))).rejects.toThrow('ENOENT');
  },
);

/** The systemd user unit: what is written, what systemd is asked, and what is left alone. systemctl is a small script that keeps a record. */
import { EventEmitter } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutput } from './output.ts';
import { installService, type ServiceWorld, showService, uninstallService } from './service.ts';
import { renderUnit } from './service-unit.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'signalbox-service-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

class Recorder extends EventEmitter {
  text = '';
  write(text: string): boolean {
    this.text += text;
    return true;
  }
}

/** `script`: the body of a systemctl; null for a machine without one. */
async function stage(name: string, script: string | null) {
  const base = join(folder, name);
  const bin = join(base, 'bin');
  const asked = join(base, 'asked');
  await mkdir(bin, { recursive: true });
  if (script !== null) {
    await writeFile(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >> '${asked}'\n${script}\n`);
    await chmod(join(bin, 'systemctl'), 0o755);
  }
  const env = { PATH: bin, HOME: base, XDG_CONFIG_HOME: join(base, 'config'), OPENAI_API_KEY: 'sk-secret' };
  const world: ServiceWorld = { home: join(base, 'my home'), env, command: '/opt/signalbox/dist/bin/signalbox.js' };
  const perform = async (
    action: (out: ReturnType<typeof createOutput>) => Promise<number>,
    isJson = true,
  ): Promise<{ code: number; stdout: string; stderr: string }> => {
    const stdout = new Recorder();
    const stderr = new Recorder();
    const code = await action(createOutput({ isJson, color: false, env, stdout, stderr }));
    return { code, stdout: stdout.text, stderr: stderr.text };
  };
  const unit = join(base, 'config/systemd/user/signalbox.service');
  return {
    world,
    unit,
    perform,
    install: (options = { start: true }, isJson = true) =>
      perform((out) => installService(out, world, options), isJson),
    uninstall: () => perform((out) => uninstallService(out, world)),
    status: () => perform((out) => showService(out, world)),
    asked: async () => (await readFile(asked, 'utf8').catch(() => '')).split('\n').filter(Boolean),
  };
}

describe('[CL27] service', () => {
  test('install writes the unit, enables and starts it; uninstall takes it away', async () => {
    const { install, uninstall, status, asked, unit } = await stage('whole', 'echo active');
    const installed = await install();
    expect(installed.code).toBe(0);
    expect(JSON.parse(installed.stdout)).toMatchObject({ unit, enabled: true, started: true, next: [] });
    const text = await readFile(unit, 'utf8');
    expect(text).toContain('\nKillMode=process\n');
    expect(text).toContain('"serve" "--no-open" "--home" ');
    expect(text).toContain('my home"');
    expect(text).not.toContain('sk-secret');
    expect((await status()).code).toBe(0);
    const removed = await uninstall();
    expect(JSON.parse(removed.stdout)).toMatchObject({ removed: true, reason: null });
    await expect(stat(unit)).rejects.toThrow('ENOENT');
    expect(await asked()).toEqual([
      '--user daemon-reload',
      '--user enable signalbox.service',
      '--user restart signalbox.service',
      '--user is-enabled signalbox.service',
      '--user is-active signalbox.service',
      '--user disable --now signalbox.service',
      '--user daemon-reload',
    ]);
    expect((await status()).code).toBe(3);
    const again = await uninstall();
    expect([again.code, JSON.parse(again.stdout).removed]).toEqual([0, false]);
  });

  test.each([
    ['no systemd on the machine', null, 'systemctl is not installed'],
    ['no bus to reach it by', 'echo "Failed to connect to bus" >&2; exit 1', 'Failed to connect to bus'],
  ])('with %s the unit is written and what to do is said', async (name, script, reason) => {
    const { install, status, unit } = await stage(name, script);
    const { code, stdout } = await install();
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      enabled: false,
      started: false,
      reason,
      next: [
        'systemctl --user daemon-reload',
        'systemctl --user enable signalbox.service',
        'systemctl --user restart signalbox.service',
      ],
    });
    expect((await stat(unit)).isFile()).toBe(true);
    const human = await install({ start: false }, false);
    expect(human.stdout).toBe(`${unit}\n`);
    expect(human.stderr).toContain('systemctl --user enable signalbox.service');
    expect(human.stderr).not.toContain('restart');
    expect((await status()).code).toBe(3);
  });

  test('a unit that somebody wrote by hand is left alone', async () => {
    const { world, install, uninstall, perform, unit } = await stage('foreign', 'true');
    await mkdir(join(unit, '..'), { recursive: true });
    await writeFile(unit, '[Service]\nExecStart=/my/own\n');
    expect((await install()).code).toBe(1);
    expect((await uninstall()).code).toBe(1);
    expect(await readFile(unit, 'utf8')).toContain('/my/own');
    expect((await perform((out) => installService(out, world, { start: true, force: true }))).code).toBe(0);
    expect(await readFile(unit, 'utf8')).not.toContain('/my/own');
  });

  test('a path that cannot be written is told', async () => {
    const { world, install } = await stage('blocked', 'true');
    await writeFile(world.env.XDG_CONFIG_HOME ?? '', 'a file where a directory is wanted');
    const { code, stdout } = await install();
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: 'internal' });
  });

  test('no path can add a setting of its own', () => {
    const unit = renderUnit({
      node: '/n',
      command: '/c d/$HOME "%h"',
      home: '/h\nExecStartPre=/evil',
      environment: { PATH: '/a:/100%' },
    });
    expect(unit.split('\n').filter((line) => line.startsWith('ExecStart'))).toEqual([
      'ExecStart="/n" "/c d/$$HOME \\"%%h\\"" "serve" "--no-open" "--home" "/h\\nExecStartPre=/evil"',
    ]);
    expect(unit).toContain('\nEnvironment="PATH=/a:/100%%"\n');
  });
});

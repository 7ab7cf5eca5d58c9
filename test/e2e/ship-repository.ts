/** A repository with an identity, a bare remote and hooks of its own for the tests of shipping, and the words those tests are written in. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import type { PageOptions } from '../../src/testing/browser.ts';
import { button, type Stage } from './stage.ts';

interface RepositoryOptions {
  /** `main` is on the remote and follows it. */
  readonly isPushed?: boolean;
  readonly hooks?: Readonly<Record<string, string>>;
}

let count = 0;

function makeShipRepository(dir: string, { isPushed = false, hooks = {} }: RepositoryOptions = {}) {
  count += 1;
  const folder = join(dir, `ship-${count}`);
  const [root, bare, other] = [join(folder, 'app'), join(folder, 'remote.git'), join(folder, 'other')];
  mkdirSync(root, { recursive: true });
  const run = (cwd: string, ...args: readonly string[]) =>
    execFileSync('git', args, { cwd, env: { ...process.env, HOME: dir }, stdio: 'pipe' }).toString();
  const git = (...args: readonly string[]) => run(root, ...args);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Person');
  git('config', 'user.email', 'person@example.com');
  write('a.txt', 'one\n');
  write('src/parser.ts', 'export const depth = 1;\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'first');
  if (isPushed) {
    git('init', '-q', '--bare', '-b', 'main', bare);
    git('remote', 'add', 'origin', bare);
    git('push', '-q', '-u', 'origin', 'main');
  }
  for (const [name, body] of Object.entries(hooks)) {
    writeFileSync(join(root, '.git/hooks', name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(root, '.git/hooks', name), 0o755);
  }
  return {
    root,
    bare,
    git,
    write,
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
    head: () => git('log', '-1', '--format=%s').trim(),
    branch: () => git('branch', '--show-current').trim(),
    remoteHead: (branch = 'main') => run(bare, 'rev-parse', branch).trim(),
    /** Somebody else pushes a commit to `main` of the remote. */
    pushFromElsewhere(path: string, text: string): void {
      if (!existsSync(other)) run(folder, 'clone', '-q', bare, other);
      run(other, 'pull', '-q');
      writeFileSync(join(other, path), text);
      run(other, 'add', '-A');
      run(other, '-c', 'user.name=B', '-c', 'user.email=b@c', 'commit', '-q', '-m', `theirs: ${path}`);
      run(other, 'push', '-q');
    },
    folder,
    remove: (path: string) => rmSync(join(root, path), { force: true }),
  };
}

export const panel = (page: Page): Locator => page.getByRole('region', { name: 'Drawer' });
export const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Commit message' });
export const confirmation = (page: Page): Locator => page.getByRole('alertdialog');
/** The card of the newest action. */
export const card = (page: Page): Locator => page.getByRole('region', { name: 'Newest action' });
export const branches = (page: Page): Locator => page.getByRole('dialog', { name: 'Branches' });

/** The panel of a conversation in a new repository. */
export async function openShip(stage: Stage, options: RepositoryOptions = {}, pageOptions: PageOptions = {}) {
  const repository = makeShipRepository(stage.box.dir, options);
  const begun = await stage.fresh({ cwd: repository.root }, pageOptions);
  return { ...repository, ...begun };
}

export async function openChanges(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Changes', exact: true }).first().click();
  await message(page).waitFor();
}

/** The repository's programs are shown; they run after this. */
export async function trust(page: Page): Promise<void> {
  await confirmation(page).getByText('Let this repository run its programs?').waitFor();
  await button(page, 'Trust and go on').click();
  await confirmation(page).waitFor({ state: 'detached' });
}

/** The shellspec files of a project: found and read inside its directory, and described. Nothing of them is run. */
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result.ts';
import type { ProjectSpecFile } from '../../contract/shellspec.ts';
import { describeSpec } from '../../core/shells/describe-spec.ts';
import { checkSpec, loadText } from './load-spec.ts';

/** A file of the project, opened without leaving its directory. */
interface OpenedSpec {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
  text(): Promise<string>;
  close(): Promise<void>;
}

interface ProjectPorts {
  readonly directory: string;
  open(named: string): Promise<Result<OpenedSpec>>;
}

const OWN_NAMES = ['shellspec.yaml', 'shellspec.yml'];
const FOLDER = 'shellspec';
/** More files are not looked through by a person. */
const MAX_FILES = 20;
/** Names read of the folder, which may hold anything. */
const MAX_NAMES = 1000;

/** In the order of their names, the one of the directory itself first. */
export async function readProjectSpecs(ports: ProjectPorts): Promise<ProjectSpecFile[]> {
  const inFolder = (await namesIn(join(ports.directory, FOLDER))).map((name) => `${FOLDER}/${name}`);
  const files: ProjectSpecFile[] = [];
  for (const named of [...OWN_NAMES, ...inFolder].slice(0, MAX_FILES)) {
    const file = await readOne(ports, named);
    if (file !== null) files.push(file);
  }
  return files;
}

/** Null for a file that is not there. */
async function readOne(ports: ProjectPorts, named: string): Promise<ProjectSpecFile | null> {
  const { directory: cwd } = ports;
  const none = { file: join(cwd, named), path: named, cwd, sha256: '', shells: [] };
  const text = await readText(ports, named);
  if (!text.ok) return text.error.code === 'not_found' ? null : { ...none, problem: text.error.message };
  const { path: file } = text.value;
  const spec = await loadText(named, text.value.text);
  if (!spec.ok) return { ...none, file, problem: spec.error.message };
  const shells = [...spec.value.shells].map(([name, one]) => describeSpec(name, one, cwd));
  return { ...none, file, sha256: spec.value.sha256, problem: null, shells };
}

async function readText(ports: ProjectPorts, named: string): Promise<Result<{ path: string; text: string }>> {
  const opened = await ports.open(named);
  if (!opened.ok) return opened;
  const { path, size, mode } = opened.value;
  try {
    return checkSpec(named, { size, mode }) ?? ok({ path, text: await opened.value.text() });
  } catch {
    return fail('invalid_request', `${named} cannot be read`);
  } finally {
    await opened.value.close();
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = [];
  try {
    // A link would list a folder outside of the project.
    if (!(await lstat(folder)).isDirectory()) return [];
    const dir = await opendir(folder);
    for await (const { name } of dir) {
      if (/^[^.].*\.ya?ml$/.test(name)) names.push(name);
      if (names.length >= MAX_NAMES) break;
    }
  } catch {
    // There is no such folder, or it may not be read.
  }
  return names.sort();
}

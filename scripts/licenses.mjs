/** The licenses of what is joined into our files: their authors ask that the texts go along. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const LICENSE_FILE = /^(licen[cs]e|copying)(\.|-|$)/i;

/** One plain text for the packages behind these modules, in order of their names. */
export function renderLicenses(moduleIds) {
  const folders = new Set([...moduleIds].flatMap((id) => PACKAGE.exec(id.replaceAll('\\', '/'))?.[1] ?? []));
  const texts = [...folders].filter((folder) => existsSync(join(folder, 'package.json'))).map(renderPackage);
  return `${texts.sort().join(`\n${'-'.repeat(80)}\n\n`)}`;
}

function renderPackage(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => LICENSE_FILE.test(one));
  const text =
    file === undefined
      ? 'The package names its license and has no text of it.'
      : readFileSync(join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

/** An npm registry on loopback that has what is installed here and nothing else: a real `npm install` without the network. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly [field: string]: unknown;
}

export interface LocalRegistry {
  readonly url: string;
  /** Names and versions that were downloaded. */
  readonly served: readonly string[];
  close(): Promise<void>;
}

/** Serves the run-time packages of the lockfile in `root`. */
export async function startLocalRegistry(root: string): Promise<LocalRegistry> {
  const packages = await readPackages(root);
  const served: string[] = [];
  let url = '';
  const server = createServer((request, response) => {
    const [, tarball] = /^\/-\/(\d+)\.tgz$/.exec(request.url ?? '') ?? [];
    const wanted = packages[Number(tarball)];
    if (tarball !== undefined && wanted !== undefined) {
      served.push(`${wanted.manifest.name}@${wanted.manifest.version}`);
      return sendTarball(wanted.path, response);
    }
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const versions = packages.flatMap(({ manifest }, index) =>
      manifest.name === name
        ? [[manifest.version, { ...manifest, scripts: {}, dist: { tarball: `${url}/-/${index}.tgz` } }] as const]
        : [],
    );
    response.statusCode = versions.length === 0 ? 404 : 200;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': {}, versions: Object.fromEntries(versions) }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    served,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}

async function readPackages(root: string): Promise<{ readonly path: string; readonly manifest: Manifest }[]> {
  const locked: Record<string, { dev?: boolean; devOptional?: boolean }> = JSON.parse(
    await readFile(join(root, 'package-lock.json'), 'utf8'),
  ).packages;
  const paths = Object.entries(locked)
    .filter(([path, entry]) => path !== '' && entry.dev !== true && existsSync(join(root, path)))
    .map(([path]) => join(root, path));
  return Promise.all(
    paths.map(async (path) => ({ path, manifest: JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) })),
  );
}

function sendTarball(path: string, response: ServerResponse): void {
  const tar = spawn('tar', ['--transform', 's,^\\.,package,', '-C', path, '-cf', '-', '.'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Stored, not packed: hundreds of megabytes go over loopback once.
  tar.stdout.pipe(createGzip({ level: 0 })).pipe(response);
}

/** The only logger: pino, JSON lines, secrets removed by key at any depth. A log that cannot be written is dropped, never fatal. */

import { constants, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { type DestinationStream, type Logger, pino, stdSerializers } from 'pino';

export type { Logger } from 'pino';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent';

const REDACTED = '[redacted]';
/** Deeper values are cut: a log line is read by people, and cycles must end. */
const MAX_DEPTH = 8;
/** A key is secret when, without `-` and `_`, it ends like this: `api_token`, `Set-Cookie`, `clientSecret`; not `max_tokens`. */
const SECRET_ENDINGS =
  /(token|authorization|cookie|cookies|loginurl|secret|password|passwd|passphrase|apikey|privatekey)$/;
/** Child bindings reach pino's own redaction only, which needs literal names at the top level. */
const SECRET_NAMES = ['token', 'authorization', 'cookie', 'login_url', 'api_token', 'secret', 'password', 'api_key'];

/** Without `file`, to stderr. */
export function createLogger(options: { level: LogLevel; file?: string }): Logger {
  return pino(
    {
      level: options.level,
      base: { pid: process.pid },
      timestamp: () => `,"time_unix_ms":${Date.now()}`,
      formatters: { level: (label) => ({ level: label }), log: redactKeys },
      redact: { paths: ['*', ...SECRET_NAMES], censor: censorTopLevel },
    },
    openDestination(options.file),
  );
}

function censorTopLevel(value: unknown, path: unknown[]): unknown {
  return typeof path[0] === 'string' && isSecretKey(path[0]) ? REDACTED : redact(value, 0);
}

function redactKeys(object: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, isSecretKey(key) ? REDACTED : value]));
}

function redact(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`;
  if (value instanceof Date) return value;
  if (depth >= MAX_DEPTH) return '[deep]';
  if (value instanceof Error) return redact({ ...stdSerializers.err(value) }, depth);
  if (Array.isArray(value)) return value.map((element) => redact(element, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, isSecretKey(key) ? REDACTED : redact(inner, depth + 1)]),
  );
}

function isSecretKey(key: string): boolean {
  return SECRET_ENDINGS.test(key.toLowerCase().replaceAll(/[-_]/g, ''));
}

function openDestination(file: string | undefined): DestinationStream {
  const fd = file === undefined ? 2 : openPrivate(file);
  let isLineTorn = false;
  return {
    write(line) {
      const bytes = Buffer.from(isLineTorn ? `\n${line}` : line);
      let written = 0;
      try {
        while (written < bytes.length) written += writeSync(fd, bytes, written);
        isLineTorn = false;
      } catch {
        // Disk full, closed pipe: the server goes on without this line, and the next one starts on its own.
        isLineTorn ||= written > 0;
      }
    },
  };
}

function openPrivate(file: string): number {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
  const fd = openSync(file, flags, 0o600);
  // A device or a pipe given by the user keeps its mode.
  if (fstatSync(fd).isFile()) fchmodSync(fd, 0o600);
  return fd;
}

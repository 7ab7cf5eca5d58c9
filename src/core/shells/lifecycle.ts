/** The life of one shell: what an event does to it and what is to be done. Restart policy and back-off are decided here, nowhere else. */
import type { Restart, ShellState } from '../../contract/shellspec.ts';

export interface Life {
  readonly state: ShellState;
  /** What becomes of it once it has ended; only while stopping. */
  readonly after: 'rest' | 'start' | 'mourn' | null;
  readonly isWanted: boolean;
  /** When it died against our will, within the window. */
  readonly deaths: readonly number[];
}

export type LifeEvent =
  | { readonly type: 'up' }
  | { readonly type: 'started' }
  | { readonly type: 'not_started' }
  | { readonly type: 'ended'; readonly wasClean: boolean }
  | { readonly type: 'stop' }
  | { readonly type: 'restart' }
  | { readonly type: 'due' }
  | { readonly type: 'unhealthy' };

export type Deed =
  | { readonly type: 'spawn' }
  | { readonly type: 'terminate' }
  | { readonly type: 'cancel' }
  | { readonly type: 'wait'; readonly ms: number };

export interface LifeStep {
  readonly life: Life;
  readonly deeds: readonly Deed[];
}

export const NEW_LIFE: Life = { state: 'stopped', after: null, isWanted: false, deaths: [] };

const SPAWN: readonly Deed[] = [{ type: 'spawn' }];
const TERMINATE: readonly Deed[] = [{ type: 'terminate' }];

export const hasProcess = (state: ShellState): boolean =>
  state === 'starting' || state === 'running' || state === 'stopping';

export function step(life: Life, event: LifeEvent, atMs: number, restart: Restart): LifeStep {
  switch (event.type) {
    case 'up':
      return hasProcess(life.state)
        ? same({ ...life, isWanted: true })
        : spawn({ ...life, deaths: [], isWanted: true });
    case 'started':
      return life.state === 'starting' ? same({ ...life, state: 'running' }) : same(life);
    case 'not_started':
      return mourn(life, false, atMs, restart);
    case 'ended':
      return onEnd(life, event.wasClean, atMs, restart);
    case 'stop':
      return onStop(life);
    case 'restart':
      if (!hasProcess(life.state)) return spawn({ ...life, deaths: [], isWanted: true });
      return { life: { ...life, state: 'stopping', after: 'start', deaths: [], isWanted: true }, deeds: TERMINATE };
    case 'due':
      return life.state === 'waiting' ? spawn(life) : same(life);
    case 'unhealthy':
      if (life.state !== 'running' || restart.policy === 'never') return same(life);
      return { life: { ...life, state: 'stopping', after: 'mourn' }, deeds: TERMINATE };
    default:
      return event satisfies never;
  }
}

function onEnd(life: Life, wasClean: boolean, atMs: number, restart: Restart): LifeStep {
  if (life.state !== 'stopping') return hasProcess(life.state) ? mourn(life, wasClean, atMs, restart) : same(life);
  if (life.after === 'start') return spawn(life);
  if (life.after === 'mourn') return mourn(life, false, atMs, restart);
  return same({ ...life, state: 'stopped', after: null });
}

function onStop(life: Life): LifeStep {
  const unwanted = { ...life, isWanted: false };
  if (life.state === 'waiting')
    return { life: { ...unwanted, state: 'stopped', after: null }, deeds: [{ type: 'cancel' }] };
  // What ended by itself keeps saying how.
  if (!hasProcess(life.state)) return same(unwanted);
  return { life: { ...unwanted, state: 'stopping', after: 'rest' }, deeds: TERMINATE };
}

/** It ended against our will: start it again in a while, or give up. */
function mourn(life: Life, wasClean: boolean, atMs: number, restart: Restart): LifeStep {
  const rest: ShellState = wasClean ? 'exited' : 'failed';
  const mayRestart = life.isWanted && (restart.policy === 'always' || (restart.policy === 'on-failure' && !wasClean));
  if (!mayRestart) return same({ ...life, state: rest, after: null });
  const deaths = [...life.deaths.filter((at) => atMs - at < restart.window_ms), atMs];
  if (deaths.length > restart.max_restarts) return same({ ...life, state: 'failed', after: null, deaths });
  return {
    life: { ...life, state: 'waiting', after: null, deaths },
    deeds: [{ type: 'wait', ms: backoff(deaths.length, restart) }],
  };
}

function backoff(deaths: number, { backoff_ms, max_backoff_ms }: Restart): number {
  return Math.min(max_backoff_ms, backoff_ms * 2 ** Math.min(30, deaths - 1));
}

const same = (life: Life): LifeStep => ({ life, deeds: [] });
const spawn = (life: Life): LifeStep => ({ life: { ...life, state: 'starting', after: null }, deeds: SPAWN });

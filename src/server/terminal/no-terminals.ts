/** Where no PTY can be had: the state says that nothing runs, and everything else is refused. */
import { fail, ok, type Result } from '../../contract/result.ts';
import type { Terminals } from './terminals.ts';

const refuse = async (): Promise<Result<never>> => fail('not_running', 'there is no terminal on this machine');

export function noTerminals(): Terminals {
  return {
    open: refuse,
    state: async () =>
      ok({
        shell_id: null,
        is_running: false,
        shell: null,
        has_blocks: false,
        cwd: '',
        cols: 80,
        rows: 24,
        cursor: 0,
        at_prompt: false,
        last_exit_code: null,
        last_block_seq: 0,
      }),
    screen: refuse,
    scrollback: refuse,
    blocks: async () => ok({ blocks: [], last_seq: 0 }),
    block: async (_id, blockId) => fail('not_found', `there is no block ${blockId}`),
    output: async (_id, blockId) => fail('not_found', `there is no block ${blockId}`),
    exec: refuse,
    send: refuse,
    waitFor: refuse,
    interrupt: refuse,
    resize: refuse,
    close: async () => ok(null),
    attach: refuse,
    onBlock: () => () => undefined,
  };
}

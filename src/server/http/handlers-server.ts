/** Route id → service call, for the server and its link to Codex. No logic. */
import type { Confirm } from '../../contract/access.ts';
import { Config } from '../../contract/config.ts';
import type { PreferencesPatch } from '../../contract/conversation.ts';
import { fail, ok } from '../../contract/result.ts';
import type { SERVER_ROUTES } from '../../contract/routes-server.ts';
import { stepsOfSettings } from '../../core/access/step-up.ts';
import { isLooser } from '../../core/conversations/settings.ts';
import { expandPath, isDirectory } from '../../node/path-kind.ts';
import type { Caller } from '../caller.ts';
import { boundCwd, tooLoose } from '../conversations/loosening.ts';
import { rpcEvent } from '../hub/hub.ts';
import type { Rpc } from './handlers-rpc.ts';
import { confirmChange, type HandlersFor, mayLoosen, type Services } from './services.ts';

export function serverHandlers(services: Services, rpc: Rpc): HandlersFor<typeof SERVER_ROUTES> {
  const { link, preferences, page, models, facts, debug } = services;
  const changePreferences = async (given: PreferencesPatch, caller: Caller, confirm?: Confirm) => {
    const cwd = typeof given.cwd === 'string' ? expandPath(given.cwd) : undefined;
    if (cwd === null || (cwd !== undefined && !(await isDirectory(cwd)))) {
      return fail('missing_cwd', `the directory ${given.cwd} does not exist`);
    }
    const patch = cwd === undefined ? given : { ...given, cwd };
    if (mayLoosen(caller)) {
      const steps = stepsOfSettings(preferences.current(), patch);
      const confirmed = await confirmChange(services, { caller, steps, change: ['writeConfig', patch], confirm });
      return confirmed.ok ? preferences.change(patch) : confirmed;
    }
    const before = preferences.current().cwd ?? process.cwd();
    // Null stands for the directory of the server.
    const bounded = await boundCwd(before, patch.cwd === null ? { ...patch, cwd: process.cwd() } : patch);
    if (!bounded.ok) return bounded;
    return isLooser(preferences.current(), patch) ? tooLoose() : preferences.change(bounded.value);
  };
  const codexStatus = () => ok({ codex: link.status() });
  return {
    health: async () => ok({ ok: true, version: facts.version }),
    configSchema: async () => ok({ ...Config.toJSONSchema({ io: 'input', unrepresentable: 'any' }) }),
    openapi: async () => ok((await import('./openapi.ts')).openApiDocument(facts.version)),
    async start() {
      const started = await link.start();
      return started.ok ? codexStatus() : started;
    },
    async stop() {
      await link.stop();
      return codexStatus();
    },
    status: async () => ok(services.status()),
    async initialize() {
      const started = await link.start();
      return started.ok ? codexStatus() : started;
    },
    async rpc(input, caller) {
      const outcome = await rpc(caller, input);
      // A client may wait for it on its socket instead of here.
      if (input.id !== undefined) services.tell(caller, rpcEvent(input.id, outcome));
      return outcome.ok ? ok({ id: input.id ?? null, result: outcome.value }) : outcome;
    },
    async readConfig(_input, caller) {
      const { app_server_command, shell_id } = services.status();
      const selected = services.selection.of(caller);
      const thread_id = selected === undefined ? null : (services.registry.metaOf(selected)?.thread_id ?? null);
      return ok({ ...preferences.current(), page: page.current(), app_server_command, shell_id, thread_id });
    },
    writeConfig({ confirm, ...patch }, caller) {
      return changePreferences(patch, caller, confirm);
    },
    writePage: (patch) => page.change(patch),
    setCwd: ({ cwd }, caller) => changePreferences({ cwd }, caller),
    async models() {
      const listed = await models.list();
      return listed.ok ? ok({ models: [...listed.value] }) : listed;
    },
    account: async () => ok(await services.account.read()),
    accountLogin: (input) =>
      input.type === 'api_key' ? services.account.loginWithKey(input.api_key) : services.account.loginWithDevice(),
    async accountLoginCancel({ login_id }) {
      const cancelled = await services.account.cancel(login_id);
      return cancelled.ok ? ok({ ok: true }) : cancelled;
    },
    async accountLogout() {
      const out = await services.account.logout();
      return out.ok ? ok({ ok: true }) : out;
    },
    async debugRaw({ limit }) {
      if (!debug.isEnabled())
        return fail('conflict', 'debug mode is off: turn it on with POST /api/appserver/debug/toggle');
      return ok({ lines: debug.lines(limit) });
    },
    debugState: async () => ok(services.debugState()),
    async debugToggle({ enabled }) {
      debug.setEnabled(enabled);
      return ok({ enabled });
    },
  };
}

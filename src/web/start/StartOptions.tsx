/** How the conversation that is about to begin will run: model, effort, what Codex may do, plan mode; and whether the project remembers it. */
import type { RefObject } from 'react';
import { EffortMenu, ModelMenu } from '../header/ModelPicker.tsx';
import { ModeMenu } from '../header/ModePicker.tsx';
import { useApp, useCommands } from '../state/use-app.ts';
import { en } from '../strings/en.ts';
import { EN_START } from '../strings/en-start.ts';
import styles from './StartOptions.module.css';
import { choose, isRemembered } from './start-choice.ts';
import type { Start } from './use-start.ts';
import { type PlaceCall, useStartPlace } from './use-start-place.ts';
import { NewPlace, PlaceMenu } from './WorkPlace.tsx';

interface StartOptionsProps {
  readonly start: Start;
  readonly cwd: string;
  /** The first message, as far as it is written. */
  readonly message: string;
  readonly place: RefObject<PlaceCall>;
}

export function StartOptions({ start, cwd, message, place: placeCall }: StartOptionsProps) {
  const place = useStartPlace(cwd, message, placeCall);
  const models = useApp((state) => state.models);
  const { forgetProject } = useCommands();
  const { defaults, choice } = start;
  if (defaults === null) return <div className={styles.options} />;
  const shown = { ...defaults, ...choice.settings, mode: choice.mode };
  const model = models.find((one) => (shown.model === null ? one.is_default : one.id === shown.model));
  const change = (settings: Parameters<typeof choose>[2]) => start.setChoice(choose(choice, defaults, settings));
  const isChanged = Object.keys(choice.settings).length > 0;

  async function forget(cwd: string): Promise<void> {
    const forgotten = await forgetProject(cwd);
    if (forgotten !== null) start.setDefaults(forgotten);
  }

  const settings = (
    <section className={styles.options} aria-label={EN_START.settings}>
      <ModelMenu
        name={model?.name ?? shown.model ?? en.header.defaultModel}
        models={models}
        chosen={shown.model}
        onChoose={(id) =>
          change({ model: id, ...(hasEffort(id, shown.reasoning_effort) ? {} : { reasoning_effort: null }) })
        }
      />
      {model !== undefined && (
        <EffortMenu
          model={model}
          effort={shown.reasoning_effort ?? model.default_effort}
          chosen={shown.reasoning_effort}
          onChoose={(effort) => change({ reasoning_effort: effort })}
        />
      )}
      <ModeMenu
        value={shown}
        network={null}
        onChange={({ mode, ...settings }) =>
          mode === undefined ? change(settings) : start.setChoice({ ...choice, mode })
        }
      />
      <PlaceMenu place={place} />
      {isChanged ? (
        <label className={styles.remember}>
          <input
            type="checkbox"
            checked={isRemembered(choice)}
            onChange={(event) => start.setChoice({ ...choice, remember: event.target.checked })}
          />
          {EN_START.remember}
        </label>
      ) : (
        defaults.remembered.length > 0 && (
          <span className={styles.remember}>
            {EN_START.remembered}
            <button type="button" className={styles.forget} onClick={() => void forget(defaults.cwd)}>
              {EN_START.forget}
            </button>
          </span>
        )
      )}
    </section>
  );
  return (
    <>
      {settings}
      <NewPlace place={place} />
    </>
  );

  /** An effort that the chosen model lacks is not kept. */
  function hasEffort(id: string | null, effort: string | null): boolean {
    const next = models.find((one) => (id === null ? one.is_default : one.id === id));
    return effort === null || next === undefined || next.efforts.some((one) => one.effort === effort);
  }
}

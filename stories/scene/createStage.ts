import type { EmbedProviderProps, Environment } from '@vitrine/react';
import { createFakeEmbed, type FakeAnswer, type FakeEmbed } from '@vitrine/react/testing';
import { sampleReport } from './sampleReport.ts';

/** What happens around the report of a story. Nothing of it reaches another story of the same document. */
export interface Scene {
  /** What the backend answers. Default: a key. */
  readonly answer?: FakeAnswer;
  /** Whether frames take their time to load, until `setHeld(false)`. Default false. */
  readonly isHeld?: boolean;
  /** Whether timers never fire, so that a pending request does not time out. Default false. */
  readonly isTimeless?: boolean;
  /** Called when the report is on the page for the first time: leads to the state that the story shows. */
  readonly onReady?: (stage: Stage) => void;
  /** Called when the story is on the page; returns what ends it. */
  readonly onMount?: (stage: Stage) => () => void;
}

/** The backend, portal and clock of one story. */
export interface Stage {
  readonly fake: FakeEmbed;
  /** Spread on `<EmbedProvider>`. */
  readonly provider: Pick<EmbedProviderProps, 'endpoint' | 'environment' | 'fetch' | 'onStateChange'>;
  /** Whether frames take their time to load from now on. */
  readonly setHeld: (isHeld: boolean) => void;
  /** Keeps what is pending from timing out: timers that are set from now on never fire. */
  readonly stopTimers: () => void;
}

/** Creates the surroundings of one story. */
export const createStage = (scene: Scene = {}): Stage => {
  const fake = createFakeEmbed({ page: sampleReport });
  const { endpoint, fetch } = fake.provider;
  const environment: Environment = fake.provider.environment ?? globalThis;
  let { isHeld = false, isTimeless = false, onReady } = scene;
  const { iframes } = environment;
  const staged: Environment = {
    ...environment,
    setTimeout: (run, delayMs) => (isTimeless ? undefined : environment.setTimeout(run, delayMs)),
    // The load of an empty frame says nothing about its report.
    ...(iframes && { iframes: { ...iframes, isEmpty: (frame) => isHeld || iframes.isEmpty(frame) } }),
  };
  const stage: Stage = {
    fake,
    provider: {
      endpoint,
      fetch,
      environment: staged,
      onStateChange: ({ status }) => {
        if (status !== 'ready') return;
        const lead = onReady;
        onReady = undefined;
        lead?.(stage);
      },
    },
    setHeld: (value) => {
      isHeld = value;
    },
    stopTimers: () => {
      isTimeless = true;
    },
  };
  if (scene.answer !== undefined) fake.answer(scene.answer);
  return stage;
};

import type { EmbedProviderProps, Environment } from '@vitrine/react';
import { createFakeEmbed, type FakeEmbed, type FakeResponse } from '@vitrine/react/testing';
import { sampleReport } from './sampleReport.ts';

/** Options of a story's environment, which is isolated from other stories of the same page. */
export interface Scene {
  /** The backend's response. Default: a key. */
  readonly answer?: FakeResponse;
  /** Whether frames keep loading until `setHeld(false)`. Default false. */
  readonly isHeld?: boolean;
  /** Whether timers never fire, so that a pending request does not time out. Default false. */
  readonly isTimeless?: boolean;
  /** Called when the report is first on the page, to reach the story's state. */
  readonly onReady?: (stage: Stage) => void;
  /** Called when the story is on the page; returns a cleanup function. */
  readonly onMount?: (stage: Stage) => () => void;
}

/** The backend, portal and clock of one story. */
export interface Stage {
  readonly fake: FakeEmbed;
  /** Spread on `<EmbedProvider>`. */
  readonly provider: Pick<EmbedProviderProps, 'endpoint' | 'environment' | 'fetch' | 'onStateChange'>;
  /** Sets whether frames keep loading from now on. */
  readonly setHeld: (isHeld: boolean) => void;
  /** Prevents timeouts: timers that are set from now on never fire. */
  readonly stopTimers: () => void;
}

/** Creates the environment of one story. */
export const createStage = (scene: Scene = {}): Stage => {
  const fake = createFakeEmbed({ page: sampleReport });
  const { endpoint, fetch } = fake.provider;
  const environment: Environment = fake.provider.environment ?? globalThis;
  let { isHeld = false, isTimeless = false, onReady } = scene;
  const { iframes } = environment;
  const staged: Environment = {
    ...environment,
    setTimeout: (run, delayMs) => (isTimeless ? undefined : environment.setTimeout(run, delayMs)),
    // Ignore the load event of an empty frame.
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

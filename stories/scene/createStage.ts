import type { EmbedProviderProps } from '@vitrine/react';
import type { EmbedItem } from '@vitrine/react/picker';
import { createFakeEmbed, type FakeEmbed, type FakeResponse } from '@vitrine/react/testing';
import { sampleItems, sampleReport } from './sampleReport.ts';

/** Options of a story's environment, which is isolated from other stories of the same page. */
export interface Scene {
  /** The backend's response. Default: a key. */
  readonly answer?: FakeResponse;
  /** The items that the viewer may open. Default: four. */
  readonly items?: readonly EmbedItem[];
  /** Whether frames keep loading until `setHeld(false)`. Default false. */
  readonly isHeld?: boolean;
  /** Called when the report is first on the page, to reach the story's state. */
  readonly onReady?: (stage: Stage) => void;
  /** Called when the story is on the page; returns a cleanup function. */
  readonly onMount?: (stage: Stage) => () => void;
}

/** The backend, portal and clock of one story. */
export interface Stage {
  readonly fake: FakeEmbed;
  /** Spread on `<EmbedProvider>`. */
  readonly provider: Pick<EmbedProviderProps, 'endpoint' | 'fetch' | 'onStateChange'>;
  /** Sets whether frames keep loading from now on. */
  readonly setHeld: (isHeld: boolean) => void;
  /** Releases the resources of the stage. */
  readonly close: () => void;
}

/** Creates the environment of one story. */
export const createStage = (scene: Scene = {}): Stage => {
  const fake = createFakeEmbed({ page: sampleReport, items: scene.items ?? sampleItems });
  const { endpoint, fetch } = fake.provider;
  let { isHeld = false, onReady } = scene;
  // A frame that is held has not loaded yet, as far as the report knows.
  const hold = (event: Event) => {
    if (isHeld && fake.frames().some((frame) => frame === event.target)) event.stopImmediatePropagation();
  };
  document.addEventListener('load', hold, true);
  const stage: Stage = {
    fake,
    provider: {
      endpoint,
      fetch,
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
    close: () => {
      document.removeEventListener('load', hold, true);
      fake.close();
    },
  };
  if (scene.answer !== undefined) fake.answer(scene.answer);
  return stage;
};

import type { Preview } from '@storybook/react-vite';
import { EmbedProvider } from '@vitrine/react';
import { type ReactNode, useEffect } from 'react';
import { createStage, type Scene, type Stage } from './createStage.ts';

interface WithStage {
  readonly loaded: Record<string, unknown>;
}

/** The stage of a story, set by {@link onStage}. */
export const stageOf = ({ loaded }: WithStage): Stage => loaded['stage'] as Stage; // set by the loader below

/** The parameter `scene` of a story. */
const sceneOf = (parameters: Record<string, unknown>) => parameters['scene'] as Scene | undefined;

interface StagedProps {
  readonly stage: Stage;
  readonly onMount: Scene['onMount'];
  readonly children: ReactNode;
}

const Staged = ({ stage, onMount, children }: StagedProps) => {
  useEffect(() => onMount?.(stage), [onMount, stage]);
  return <EmbedProvider {...stage.provider}>{children}</EmbedProvider>;
};

/** Gives each story its own backend, portal and clock, from its parameter `scene`. */
export const onStage = {
  loaders: [({ parameters }) => ({ stage: createStage(sceneOf(parameters)) })],
  decorators: [
    (Story, context) => (
      <Staged stage={stageOf(context)} onMount={sceneOf(context.parameters)?.onMount}>
        <Story />
      </Staged>
    ),
  ],
  beforeEach: ({ loaded }: WithStage) => {
    const { stage } = loaded as { stage?: Stage };
    return () => stage?.close();
  },
} satisfies Preview;

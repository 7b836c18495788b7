'use client';
import type { QueryClient } from '@tanstack/react-query';
import { createContext } from 'react';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { Labels } from '../labels/labels.ts';

/** What `<EmbedProvider>` gives to the reports below it. */
export interface EmbedContextValue {
  /** How keys are asked for. Callbacks in it are always the newest. */
  readonly keys: EmbedKeyOptions;
  /** The host's words. */
  readonly labels?: Partial<Labels> | undefined;
  /** The host's client, when it shares one. */
  readonly queryClient?: QueryClient | undefined;
}

/** Holds the defaults that apply without a provider. */
export const EmbedContext = createContext<EmbedContextValue>({ keys: {} });

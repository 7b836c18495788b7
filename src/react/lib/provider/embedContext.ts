'use client';
import type { QueryClient } from '@tanstack/react-query';
import { createContext } from 'react';
import type { ReportCallbacks } from '../frames/reportOptions.ts';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';
import type { LabelOverrides } from '../labels/labels.ts';
import type { ReportSlots } from '../view/reportSlots.ts';

/** The values that `<EmbedProvider>` passes to the reports below it. */
export interface EmbedContextValue extends ReportCallbacks, ReportSlots {
  /** Options of key requests. Always with the newest callbacks. */
  readonly keys: EmbedKeyOptions;
  /** The host's label overrides. */
  readonly labels?: LabelOverrides | undefined;
  /** The host's query client, if it shares one. */
  readonly queryClient?: QueryClient | undefined;
}

/** Holds the defaults that apply without a provider. */
export const EmbedContext = createContext<EmbedContextValue>({ keys: {} });

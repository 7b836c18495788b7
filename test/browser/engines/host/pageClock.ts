import type { Environment } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';

const { provider, advance } = createFakeEmbed();

/** The browser as it is, with clocks that a test can move on. */
export const environment: Environment = {
  ...(provider.environment as Environment), // createFakeEmbed always gives one
  iframes: undefined,
  crossOriginIsolated,
};

/** Moves the time of the page on. */
export const advanceClock = advance;

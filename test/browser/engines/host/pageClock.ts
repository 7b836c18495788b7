import type { Environment } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';

const { provider, advance } = createFakeEmbed();

/** The environment of the browser, with clocks that a test can advance. */
export const environment: Environment = {
  ...(provider.environment as Environment), // createFakeEmbed always sets one
  iframes: undefined,
  crossOriginIsolated,
};

/** Advances the time of the page. */
export const advanceClock = advance;

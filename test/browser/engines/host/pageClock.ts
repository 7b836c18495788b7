import type { Environment } from '@vitrine/react';
import { createFakeEmbed } from '@vitrine/react/testing';

const { provider, advance } = createFakeEmbed();

/** The browser's own clocks, timers and events, with a time that a test can move on. */
export const environment = provider.environment as Environment; // createFakeEmbed always gives one

/** Moves the time of the page on. */
export const advanceClock = advance;

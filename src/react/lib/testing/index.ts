'use client';
export { createFakeEmbed } from './createFakeEmbed.ts';

export type { FakeResponse, FakeEmbed, FakeEmbedOptions } from './createFakeEmbed.ts';

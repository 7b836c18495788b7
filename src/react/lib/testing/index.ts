'use client';
export { createFakeEmbed } from './createFakeEmbed.ts';

export type { FakeAnswer, FakeEmbed, FakeEmbedOptions } from './createFakeEmbed.ts';

'use client';
import { useInsertionEffect, useMemo } from 'react';
import type { EmbedKeyOptions } from '../keys/embedKeyOptions.ts';

type Callbacks = Pick<EmbedKeyOptions, 'fetch' | 'headers' | 'credentials'>;
type Settings = Pick<EmbedKeyOptions, 'endpoint' | 'viewer' | 'environment'>;

const mergeKeyOptions = (settings: Settings, outer: EmbedKeyOptions) => {
  const newest: Callbacks = {};
  const options: EmbedKeyOptions = {
    ...settings,
    get fetch() {
      return newest.fetch ?? outer.fetch;
    },
    get headers() {
      return newest.headers ?? outer.headers;
    },
    get credentials() {
      return newest.credentials ?? outer.credentials;
    },
  };
  return { newest, options };
};

/**
 * Merges a provider's options with those around it. New callbacks never disturb a report: the object stays the same,
 * and each request uses the newest callbacks.
 */
export const useKeyOptions = (own: EmbedKeyOptions, outer: EmbedKeyOptions): EmbedKeyOptions => {
  const { fetch, headers, credentials } = own;
  const endpoint = own.endpoint ?? outer.endpoint;
  const viewer = own.viewer ?? outer.viewer;
  const environment = own.environment ?? outer.environment;
  const { newest, options } = useMemo(
    () => mergeKeyOptions({ endpoint, viewer, environment }, outer),
    [endpoint, viewer, environment, outer],
  );
  useInsertionEffect(() => void Object.assign(newest, { fetch, headers, credentials }));
  return options;
};

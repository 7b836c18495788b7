'use client';
/** The entry under the export condition `development`: the same values, and messages in the console when something fails. */
import './development/install.ts';

export * from './index.ts';

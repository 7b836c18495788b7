'use client';
/** The entry for the export condition `development`: the same exports, plus console messages about failures. */
import { helpDevelopers } from './development/helpDevelopers.ts';

// On a server, failures are in its log.
if (typeof document !== 'undefined') helpDevelopers();

export * from './index.ts';

'use client';
/** The entry for the export condition `development`: the same exports, plus console messages about failures. */
import './development/install.ts';

export * from './index.ts';

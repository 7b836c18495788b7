'use client';
export { VitrineDevtools, type VitrineDevtoolsProps } from './VitrineDevtools.tsx';

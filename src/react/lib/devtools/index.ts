'use client';
export { VitrineDevtools } from './VitrineDevtools.tsx';

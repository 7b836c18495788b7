import type { Environment } from '../session/environment.ts';
import { browserFrames } from './browserFrames.ts';
import { createFrameElement, type FrameElement } from './frameElement.ts';
import type { FrameEntry, FrameList } from './frameEntry.ts';
import type { FramesEvent } from './reduceFrames.ts';

/** The iframes of a report, by frame. */
export interface FrameElements {
  /** Returns the element of a frame: always the same one. */
  readonly get: (frame: FrameEntry) => FrameElement;
  /** Forgets the elements of frames that are gone. */
  readonly keep: (frames: FrameList) => void;
}

/** Options of {@link createFrameElements}. */
export interface FrameElementsOptions {
  readonly isConcealed: boolean;
  readonly environment: Environment;
  readonly onEvent: (event: FramesEvent) => void;
}

/** Whether frames load without cookies: only so can a cross-origin isolated page show a portal that has not opted in. */
export const isCredentialless = ({ crossOriginIsolated }: Environment): boolean =>
  !!crossOriginIsolated && 'credentialless' in HTMLIFrameElement.prototype;

/** Creates {@link FrameElements}. */
export const createFrameElements = ({
  isConcealed,
  environment,
  onEvent,
}: FrameElementsOptions): FrameElements => {
  const elements = new Map<string, FrameElement>();
  return {
    get: ({ id, key }) => {
      const element =
        elements.get(id) ??
        createFrameElement({
          id,
          src: key.src,
          isConcealed,
          frames: environment.iframes ?? browserFrames,
          isCredentialless: isCredentialless(environment),
          onLoaded: () => onEvent({ type: 'loaded', id }),
          onEmptied: () => onEvent({ type: 'emptied', id }),
        });
      elements.set(id, element);
      return element;
    },
    keep: (frames) => {
      for (const id of elements.keys()) if (!frames.some((frame) => frame.id === id)) elements.delete(id);
    },
  };
};

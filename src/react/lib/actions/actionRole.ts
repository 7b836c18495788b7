import type { TabChannel } from './tabs.ts';

/** How this page gets its actions. */
export type ActionRole =
  /** By a stream of its own, which it shares with nobody. */
  | { readonly kind: 'solo' }
  /** By a stream of its own, for the other tabs as well. */
  | { readonly kind: 'leading'; readonly channel: TabChannel; readonly release: () => void }
  /** From the tab that leads. Until that one has answered what this page asked, actions may be on their way. */
  | { readonly kind: 'following'; readonly channel: TabChannel; question: number; hasAnswer: boolean };

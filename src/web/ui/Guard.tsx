/** An error boundary around one part of the page: the part that throws shows its fallback, the others go on. */
import { Component, type ReactNode } from 'react';

interface GuardProps {
  readonly children: ReactNode;
  readonly fallback: () => ReactNode;
  /** The part is tried again when this changes. */
  readonly of?: unknown;
}

interface GuardState {
  readonly isCrashed: boolean;
  readonly of: unknown;
}

export class Guard extends Component<GuardProps, GuardState> {
  override state: GuardState = { isCrashed: false, of: this.props.of };

  static getDerivedStateFromError(): Partial<GuardState> {
    return { isCrashed: true };
  }

  static getDerivedStateFromProps({ of }: GuardProps, state: GuardState): GuardState | null {
    return of === state.of ? null : { isCrashed: false, of };
  }

  override render(): ReactNode {
    return this.state.isCrashed ? this.props.fallback() : this.props.children;
  }
}

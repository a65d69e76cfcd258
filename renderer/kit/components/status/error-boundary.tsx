import { Component, type ErrorInfo, type ReactNode } from 'react';

/** An error that a component threw while it was rendered. */
export interface RenderFault {
  error: unknown;
  /** The components around the one that threw, the innermost first; empty until React reports it. */
  components: string;
}

interface ErrorBoundaryProps {
  children: ReactNode;
  /** Replaces the children after a fault. */
  fallback: (fault: RenderFault) => ReactNode;
}

/** Keeps a fault of its children to itself: the rest of the window stays as it is. A new `key` shows the children again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { fault: RenderFault | null }> {
  override state: { fault: RenderFault | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: RenderFault } {
    return { fault: { error, components: '' } };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ fault: { error, components: componentStack ?? '' } });
  }

  override render(): ReactNode {
    const { fault } = this.state;
    return fault === null ? this.props.children : this.props.fallback(fault);
  }
}

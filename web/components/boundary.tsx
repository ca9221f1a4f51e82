import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/**
 * Error boundary around one page. Also shown if a page's script is missing, as after an upgrade of the service. A reload
 * fetches the current version.
 */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <Notice tone="bad" title="This page failed to load">
          <p>
            The error changed no data. Reload the page. If it fails again, contact the operator of this installation.
          </p>
          <Button size="small" className="mt-2" onClick={() => location.reload()}>
            Reload
          </Button>
        </Notice>
      </div>
    );
  }
}

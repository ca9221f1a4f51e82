import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";

/** Keeps a page that breaks from taking the others with it. A page whose file is gone (a new version is out) is loaded anew. */
export class Boundary extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <div role="alert">
        <Notice tone="bad" title="This page could not be shown">
          <p>Nothing was changed by it. Load it again; if it stays so, tell whoever runs this installation.</p>
          <Button size="small" className="mt-2" onClick={() => location.reload()}>
            Load it again
          </Button>
        </Notice>
      </div>
    );
  }
}

import { useCallback, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";

const FIRST_HEIGHT_PX = 160;
const MAX_HEIGHT_PX = 20_000;

/**
 * A letter's HTML in a frame of its own. Neither the frame nor the policy its document is served with lets anything run, so
 * that the page may measure it.
 */
export function MessageHtml({
  messageId,
  hasRemoteImages,
}: {
  readonly messageId: string;
  readonly hasRemoteImages: boolean;
}) {
  const [showsImages, setShowsImages] = useState(false);
  const [heightPx, setHeightPx] = useState(FIRST_HEIGHT_PX);
  const observer = useRef<ResizeObserver>(undefined);
  const measure = useCallback((frame: HTMLIFrameElement) => {
    observer.current?.disconnect();
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    const adapt = () => setHeightPx(Math.min(Math.ceil(root.getBoundingClientRect().height), MAX_HEIGHT_PX));
    // Pictures come later.
    observer.current = new ResizeObserver(adapt);
    observer.current.observe(root);
    adapt();
  }, []);
  return (
    <>
      {hasRemoteImages && !showsImages && (
        <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted">
          <p>Pictures from elsewhere are left out: loading them tells the sender that you looked, and from where.</p>
          <Button look="quiet" size="small" onClick={() => setShowsImages(true)}>
            Show them
          </Button>
        </div>
      )}
      <iframe
        title="The letter as its sender laid it out"
        src={`/mail/messages/${encodeURIComponent(messageId)}/html${showsImages ? "?images=show" : ""}`}
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        onLoad={({ currentTarget }) => measure(currentTarget)}
        style={{ height: `${heightPx}px` }}
        className="block w-full rounded-md border border-line bg-[#fff]"
      />
    </>
  );
}

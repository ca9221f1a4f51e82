import { useCallback, useRef, useState } from "react";
import { Button } from "../../components/button.tsx";

const FIRST_HEIGHT_PX = 160;
const MAX_HEIGHT_PX = 20_000;

/**
 * HTML of a message in a sandboxed iframe. Measuring its height requires `allow-same-origin`. This is safe because the
 * sandbox and the Content Security Policy block all scripts.
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
    // Images load after the document and change its height.
    observer.current = new ResizeObserver(adapt);
    observer.current.observe(root);
    adapt();
  }, []);
  return (
    <>
      {hasRemoteImages && !showsImages && (
        <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted">
          <p>
            Remote images are blocked. Loading them reveals to the sender that you opened the message, and your IP
            address.
          </p>
          <Button look="quiet" size="small" onClick={() => setShowsImages(true)}>
            Load images
          </Button>
        </div>
      )}
      <iframe
        title="HTML version of the message"
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

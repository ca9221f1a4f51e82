import { useId } from "react";
import { buttonClass } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ChosenFiles } from "./files.tsx";
import type { useUploads } from "./use-uploads.ts";

/** Attachments of an email form, with a button to add files. */
export function FileField({ uploads }: { readonly uploads: ReturnType<typeof useUploads> }) {
  const id = useId();
  const { files, isUploading, failure, add, remove } = uploads;
  return (
    <div className="grid gap-2">
      <ChosenFiles files={files} onRemove={remove} />
      <FailureNotice failure={failure} />
      <div className="flex flex-wrap items-center gap-x-4">
        <input
          id={id}
          type="file"
          multiple
          className="peer sr-only"
          onChange={({ target }) => {
            void add([...(target.files ?? [])]);
            // Allows the same file to be chosen again.
            target.value = "";
          }}
        />
        <label
          htmlFor={id}
          className={`${buttonClass("plain", "small")} cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-leather`}
        >
          Attach files
        </label>
        <span role="status" className="text-small text-muted">
          {isUploading ? "Uploading…" : "Up to 20 MiB in total."}
        </span>
      </div>
    </div>
  );
}

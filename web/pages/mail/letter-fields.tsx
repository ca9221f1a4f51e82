import { useId } from "react";
import { buttonClass } from "../../components/button.tsx";
import { FailureNotice } from "../../components/notice.tsx";
import { ChosenFiles } from "./files.tsx";
import type { useUploads } from "./use-uploads.ts";

/** The files of a letter that is being written, and the way to add some. */
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
            // So that the same file may be chosen again.
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
          {isUploading ? "Uploading" : "At most 20 MiB in all."}
        </span>
      </div>
    </div>
  );
}

declare class FileReaderSync {
  readAsArrayBuffer(blob: Blob): ArrayBuffer;
}

import { type ReactNode, useEffect, useState } from 'react';

/** A picture that leaves the view within this time is not requested. */
const SETTLE_MS = 90;

interface LoadedImageProps {
  /** The address; null: there is no picture to load. */
  address: string | null;
  className: string | undefined;
  onShown?: () => void;
  /** Shown until the picture is loaded, and when there is none. */
  children: ReactNode;
  /** Shown instead of `children` once it is known that there is no picture. */
  missing?: ReactNode;
  /** Shown in front of the picture once it is loaded. */
  front?: ReactNode;
}

/** A decorative picture. An address that can't be loaded is not requested again. */
export function LoadedImage({ address, className, onShown, children, missing = children, front }: LoadedImageProps) {
  const isSettled = useSettled();
  const [shown, setShown] = useState<string | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const isRequested = address !== null && isSettled && failed !== address;
  const isShown = isRequested && shown === address;
  return (
    <>
      {isShown ? null : failed === address ? missing : children}
      {isRequested ? (
        <img
          key={address}
          className={className}
          src={address}
          alt=""
          decoding="async"
          draggable={false}
          data-shown={isShown}
          onLoad={() => {
            setShown(address);
            onShown?.();
          }}
          onError={() => setFailed(address)}
        />
      ) : null}
      {isShown ? front : null}
    </>
  );
}

function useSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(true), SETTLE_MS);
    return () => window.clearTimeout(timer);
  }, []);
  return isSettled;
}

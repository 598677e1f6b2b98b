#pragma once

namespace previct {

/// Thrown where something would be added to what several threads read. No handler of std::exception catches it, only
/// the function that started the threads, which repeats the question when they have ended.
struct AddedWhileShared {};

/// Whether several threads read an object, so that nothing may be added to it. Changed only while one thread uses the
/// object.
class SharedReading {
 public:
  void set(bool shared) { shared_ = shared; }
  /// Throws AddedWhileShared if several threads read the object.
  void before_adding() const {
    if (shared_) throw AddedWhileShared();
  }
  explicit operator bool() const { return shared_; }

 private:
  bool shared_ = false;
};

}  // namespace previct

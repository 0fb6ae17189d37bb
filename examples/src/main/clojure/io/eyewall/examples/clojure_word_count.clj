(ns io.eyewall.examples.clojure-word-count
  "A word count with bolts in Clojure. Each word is sent with a map of its position, so that Clojure's data must be serialized."
  (:use [org.apache.storm.clojure :only [ack! bolt bolt-spec defbolt emit-bolt! spout-spec topology]])
  (:import [io.eyewall.examples.configuration ExampleConfiguration]
           [io.eyewall.examples.operator LineSource PacedSpout SinkTask TopologyAssembly]
           [java.util HashMap Map]
           [org.apache.storm.tuple Tuple]))

(defbolt split-line ["word" "place" "dueNs"] [tuple collector]
  (let [^Tuple line tuple
        number (.getLong line 1)
        due-ns (.getLong line 2)]
    (doseq [[index word] (map-indexed vector (re-seq #"[\p{L}\p{Nd}]+" (.getString line 0)))]
      (emit-bolt! collector [word {:line number :index index} due-ns] :anchor line)))
  (ack! collector tuple))

(defn- increment! [^HashMap counts key]
  (.put counts key (inc (long (.getOrDefault counts key 0)))))

(defbolt count-words [] {:prepare true} [conf context collector]
  (let [sink (SinkTask. (ExampleConfiguration. ^Map conf) context (:output-collector collector) true)
        counts (HashMap.)]
    (bolt
      (execute [tuple]
        (if (.isTick sink tuple)
          (do (.write sink counts)
              (ack! collector tuple))
          (let [word (.getString ^Tuple tuple 0)
                {:keys [index]} (.getValue ^Tuple tuple 1)]
            (.work sink)
            (increment! counts word)
            (when (zero? (long index))
              (increment! counts (str "^" word)))
            (.done sink tuple))))
      (cleanup []
        (.close sink counts)))))

(defn word-count
  "The topology: counts how often each word occurs in the input and, under ^word, how often at the beginning of a line."
  [^ExampleConfiguration configuration]
  (letfn [(settings [component default]
            [:p (TopologyAssembly/executors configuration component default)
             :conf {"topology.tasks" (TopologyAssembly/tasks configuration component default)}])
          (with-tick [[p executors conf settings]]
            [p executors conf (merge settings (into {} (TopologyAssembly/sinkConfiguration configuration)))])]
    (topology
      {"spout" (apply spout-spec (PacedSpout. (LineSource.) 0 1) (settings "spout" 1))}
      {"split" (apply bolt-spec {"spout" :shuffle} split-line (settings "split" 1))
       "count" (apply bolt-spec {"split" ["word"]} count-words (with-tick (settings "count" 4)))})))

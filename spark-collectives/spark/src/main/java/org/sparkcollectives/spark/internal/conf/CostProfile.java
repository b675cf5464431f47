package org.sparkcollectives.spark.internal.conf;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.internal.transport.Roster;

/**
 * A cost model as a JSON document, with the names of its parts as keys, which must all be there but
 * the rate of racks' uplinks, which is 0 where it is missing; and the number of connections that
 * two ranks that share no memory had when it was measured, where they had several.
 */
public final class CostProfile {
  private static final String CONNECTIONS = "connectionsPerPeer";
  private static final String UPLINK = "uplinkNanosPerByte";

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private CostProfile() {}

  /**
   * Writes a model.
   *
   * @param model the model
   * @return JSON in several lines
   */
  public static String write(CostModel model) {
    return write(model, 1);
  }

  /**
   * Writes a model that holds for ranks with several connections to each other.
   *
   * @param model the model
   * @param connections how many two ranks that share no memory have, 1 or more
   * @return JSON in several lines
   */
  public static String write(CostModel model, int connections) {
    ObjectNode profile = MAPPER.valueToTree(model);
    if (model.uplinkNanosPerByte() == 0) {
      profile.remove(UPLINK);
    }
    if (connections > 1) {
      profile.put(CONNECTIONS, connections);
    }
    try {
      return MAPPER.writeValueAsString(profile) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a cost model cannot be written", e);
    }
  }

  /**
   * Reads a model.
   *
   * @param json what {@link #write} wrote, or the like
   * @param path where it was found, for messages
   * @return the model
   * @throws org.sparkcollectives.error.InvalidInputException if it is no profile; the message says
   *     where it is wrong
   */
  public static CostModel read(String json, String path) {
    try {
      ObjectNode profile = parse(json, path);
      connections(profile, path);
      profile.remove(CONNECTIONS);
      if (!profile.has(UPLINK)) {
        profile.put(UPLINK, 0);
      }
      return MAPPER.treeToValue(profile, CostModel.class);
    } catch (JsonProcessingException e) {
      throw badProfile(path, String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  /**
   * Reads with how many connections a model was measured.
   *
   * @param json what {@link #write} wrote, or the like
   * @param path where it was found, for messages
   * @return how many two ranks that share no memory are to have; 1 where the profile does not say
   * @throws org.sparkcollectives.error.InvalidInputException if it is no profile, or two ranks
   *     cannot have as many
   */
  public static int connections(String json, String path) {
    try {
      return connections(parse(json, path), path);
    } catch (JsonProcessingException e) {
      throw badProfile(path, String.valueOf(e.getMessage()).replace('\n', ' '));
    }
  }

  private static int connections(ObjectNode profile, String path) {
    JsonNode count = profile.path(CONNECTIONS);
    if (count.isMissingNode()) {
      return 1;
    }
    if (!count.isInt() || count.intValue() < 1 || count.intValue() > Roster.MOST_CONNECTIONS) {
      throw badProfile(
          path, "'" + CONNECTIONS + "' is " + count + ", not 1 to " + Roster.MOST_CONNECTIONS);
    }
    return count.intValue();
  }

  private static ObjectNode parse(String json, String path) throws JsonProcessingException {
    if (MAPPER.readTree(json) instanceof ObjectNode profile) {
      return profile;
    }
    throw badProfile(path, "it is empty, or no object");
  }

  /**
   * A profile that cannot be read.
   *
   * @param path where it is
   * @param cause what is wrong with it
   * @return the exception
   */
  public static InvalidInputException badProfile(String path, String cause) {
    return new InvalidInputException(
        ErrorText.of(
            "the cost profile " + path + " cannot be read",
            cause,
            "give a file that 'collectives calibrate' wrote, or one made like those in conf/"),
        null);
  }
}
